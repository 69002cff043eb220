// One planted bug: the text that occurs once in a file of the source, and what takes its place.

export interface Mutant {
  name: string;
  file: string;
  search: string;
  replace: string;
}
