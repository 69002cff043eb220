// Rows of the given documents that state no behaviour, each with a short reason: they cannot be
// tested, so coverage does not require them.
export const ROWS_WITHOUT_BEHAVIOUR: Record<string, string> = {
  T001: 'scope',
  T003: 'introduction',
  T050: 'unshown',
  T059: 'heading',
  T063: 'unshown',
  T067: 'heading',
  T071: 'unshown',
  T073: 'unshown',
  T074: 'unshown',
  M002: 'introduction',
  M058: 'unshown',
  M196: 'unshown',
  M204: 'unshown',
  M205: 'heading',
  M218: 'unshown',
  M228: 'unshown',
};
