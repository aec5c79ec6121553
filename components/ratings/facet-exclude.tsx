import { classNames } from '#components/ui/class-names.ts'

type ExcludeButtonProps = {
  label: string
  isNot: boolean
  /** How long the count is that stands at the right of it. */
  besideCharacters: number
  onToggle: () => void
}

/** Takes a value out, or back in: shown where the pointer or the keyboard is, and as long as it is out. */
export function ExcludeButton({ label, isNot, besideCharacters, onToggle }: ExcludeButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isNot}
      title={isNot ? `Count ${label} in again` : `Exclude ${label}`}
      className={classNames(
        'absolute top-0 grid size-6 place-items-center rounded-md bg-paper hover:text-ink focus-visible:opacity-100 group-hover/line:opacity-100 pointer-coarse:opacity-100',
        isNot ? 'text-rating-text-1' : 'text-ink-3 opacity-0',
      )}
      style={{ right: `calc(${besideCharacters}ch + 2px)` }}
      onClick={onToggle}
    >
      <svg aria-hidden="true" viewBox="0 0 14 14" className="size-3.5 fill-none stroke-current">
        <circle cx="7" cy="7" r="5.25" strokeWidth="1.5" />
        <path d="M3.4 3.4l7.2 7.2" strokeWidth="1.5" />
      </svg>
      <span className="sr-only">Exclude {label}</span>
    </button>
  )
}
