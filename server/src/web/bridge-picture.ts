/** A picture of a bridge between an order book and a conversation. Decoration: screen readers skip it. */
export const BRIDGE = `<svg class="art" viewBox="0 0 520 340" aria-hidden="true" focusable="false">
  <g class="ask">
    <rect x="16" y="60" width="132" height="12" rx="6" opacity="0.55"/>
    <rect x="16" y="82" width="98" height="12" rx="6" opacity="0.7"/>
    <rect x="16" y="104" width="70" height="12" rx="6" opacity="0.85"/>
    <rect x="16" y="126" width="40" height="12" rx="6"/>
  </g>
  <g class="bid">
    <rect x="16" y="158" width="52" height="12" rx="6"/>
    <rect x="16" y="180" width="84" height="12" rx="6" opacity="0.85"/>
  </g>
  <path class="bubble" d="M356 44h132a14 14 0 0 1 14 14v30a14 14 0 0 1-14 14H392l-18 16v-16h-18a14 14 0 0 1-14-14V58a14 14 0 0 1 14-14z"/>
  <path class="word" d="M364 66h96M364 82h62"/>
  <path class="mine" d="M398 132h90a14 14 0 0 1 14 14v24a14 14 0 0 1-14 14h-10v15l-18-15h-62a14 14 0 0 1-14-14v-24a14 14 0 0 1 14-14z"/>
  <path class="mine-word" d="M404 152h72M404 166h44"/>
  <path class="stone" d="M8 276v-24h76v-13h34v-13h32v-13h32v-13h26v-12h104v12h26v13h32v13h32v13h34v13h76v24H372a112 76 0 0 0-224 0z"/>
  <g class="stone">
    <rect x="221" y="148" width="11" height="42"/>
    <rect x="254" y="148" width="11" height="42"/>
    <rect x="287" y="148" width="11" height="42"/>
    <path d="M206 150l54-36 54 36z"/>
  </g>
  <path class="water" d="M20 300h96M150 300h220M404 300h96M60 320h120M230 320h180M440 320h40"/>
</svg>`;
