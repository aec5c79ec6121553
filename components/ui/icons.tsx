/* Drawn: no font of ours has these signs, and looking for one takes a phone 50 ms. */

export const DownIcon = () => (
  <svg viewBox="0 0 8 6" className="h-1.5 w-2 shrink-0 fill-current" aria-hidden>
    <path d="M0 .5h8l-4 5z" />
  </svg>
)

export const DotsIcon = () => (
  <svg viewBox="0 0 16 4" className="h-1 w-4 shrink-0 stroke-current" aria-hidden>
    <path d="M2 2h0m6 0h0m6 0h0" strokeWidth="2.8" strokeLinecap="round" />
  </svg>
)

export const Bell = ({ className, strokeWidth }: { className: string; strokeWidth: string }) => (
  <svg
    viewBox="0 0 16 16"
    className={className}
    fill="none"
    stroke="currentColor"
    strokeWidth={strokeWidth}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
  >
    <path d="M8 1.6v1M3 11.4c1-1 1.3-2.3 1.3-4.6a3.7 3.7 0 0 1 7.4 0c0 2.3.3 3.6 1.3 4.6zM6.7 13.7a1.5 1.5 0 0 0 2.6 0" />
  </svg>
)

export const SearchIcon = () => (
  <svg viewBox="0 0 16 16" className="size-3.5 shrink-0 fill-none stroke-current" aria-hidden>
    <path
      d="M2.4 7a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0m8.1 3.5 3.5 3.5"
      strokeWidth="1.5"
      strokeLinecap="round"
    />
  </svg>
)
