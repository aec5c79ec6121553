import { LineSwatch } from './compare-legend.tsx'
import { type ComparedLine, toEnds } from './compared-lines.ts'

/** The symbols drawn with the look of their line and where they stand: a legend that does not act. */
export const CompareKey = ({ lines }: { lines: readonly ComparedLine[] }) => (
  <ul
    aria-label="Symbols compared"
    className="flex flex-wrap gap-x-5 max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-3 max-sm:text-sm"
  >
    {lines.map((line) => (
      <li key={line.key} className="flex h-6 min-w-0 items-center gap-1.5">
        <LineSwatch place={line.place} />
        <span className="truncate font-medium">{line.symbol}</span>
        <span className="whitespace-nowrap text-ink-3">
          {toEnds(line)?.last.text ?? 'too few ratings'}
        </span>
      </li>
    ))}
  </ul>
)
