/* Drawn: no font of ours has these signs, and looking for one takes a phone 50 ms. */

export const DownIcon = () => (
  <svg viewBox="0 0 8 6" className="h-1.5 w-2 shrink-0 fill-current" aria-hidden>
    <path d="M0 .5h8l-4 5z" />
  </svg>
)

export const DotsIcon = () => (
  <svg viewBox="0 0 16 4" className="h-1 w-4 shrink-0 fill-current" aria-hidden>
    <path d="M2 .6a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 1 0 0-2.8m6 0a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 1 0 0-2.8m6 0a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 1 0 0-2.8" />
  </svg>
)
