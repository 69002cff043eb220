// All keys of a person.
import { ChatKeys } from './chat-keys.tsx';
import { TradingKeys } from './trading-keys.tsx';

export default function Keys() {
  return (
    <>
      <ChatKeys />
      <TradingKeys />
    </>
  );
}
