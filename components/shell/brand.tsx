import { ZonedLink } from '#components/time/zoned-link.tsx'

/** The bell and the name; leads home. */
export function Brand() {
  return (
    <ZonedLink
      href="/"
      className="inline-flex shrink-0 items-center gap-2 text-[0.9375rem] font-semibold tracking-tight"
    >
      <svg
        viewBox="0 0 16 16"
        className="size-4"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
      >
        <path d="M8 1.6v1M3 11.4c1-1 1.3-2.3 1.3-4.6a3.7 3.7 0 0 1 7.4 0c0 2.3.3 3.6 1.3 4.6zM6.7 13.7a1.5 1.5 0 0 0 2.6 0" />
      </svg>
      Bellwether
    </ZonedLink>
  )
}
