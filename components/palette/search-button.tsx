import { SearchTrigger } from './search-trigger.tsx'

/** The search field of the header, as a button; on narrow screens a small one. What it looks like is no script. */
export function SearchButton() {
  return (
    <SearchTrigger
      className="ml-auto inline-flex h-[31px] min-w-[31px] shrink-0 items-center justify-center gap-2 overflow-hidden rounded-md border border-line-2 text-ink-3 hover:border-edge hover:text-ink max-lg:w-[31px] lg:mr-auto lg:ml-0 lg:max-w-[520px] lg:flex-1 lg:shrink lg:justify-start lg:px-2.5"
      keyClassName="ml-auto min-w-[42px] rounded-sm border px-1 text-center font-sans text-xs max-[1120px]:hidden"
      keysClassName="inline-flex size-[31px] shrink-0 items-center justify-center rounded-md border border-line-2 text-ink-2 hover:border-edge hover:bg-sunk hover:text-ink max-sm:hidden"
      failure={
        <p
          role="alert"
          className="fixed top-14 right-4 z-30 rounded-md border border-line-2 bg-surface px-3 py-2"
        >
          The search could not be loaded. Try again.
        </p>
      }
    >
      <Lens />
      <span className="min-w-0 truncate text-left max-[1120px]:sr-only">
        Search, or filter by{' '}
        <span className="font-[ui-monospace,monospace] text-sm">symbol:AAPL rating:4,5</span>
      </span>
    </SearchTrigger>
  )
}

const Lens = () => (
  <svg
    viewBox="0 0 16 16"
    className="size-3.5 shrink-0"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    aria-hidden
  >
    <circle cx="7" cy="7" r="4.6" />
    <path d="m10.5 10.5 3.5 3.5" />
  </svg>
)
