import { classNames } from '#components/ui/class-names.ts'
import { type ComparedLine, toEnds } from './compared-lines.ts'
import { lineLook, markFill, markPath } from './line-looks.ts'

type CompareLegendProps = {
  lines: readonly ComparedLine[]
  hidden: readonly string[]
  /** The page's own symbol, as a key: it cannot be taken away. */
  own: string
  onToggle: (key: string) => void
  onRemove: (key: string) => void
}

/** The symbols with the look of their line and where they stand; each can be switched off, and taken away. */
export function CompareLegend({ lines, hidden, own, ...actions }: CompareLegendProps) {
  return (
    <ul
      aria-label="Symbols compared"
      className="flex flex-wrap gap-x-2 gap-y-1.5 pl-2"
      data-pane="legend"
    >
      {lines.map((line) => (
        <li
          key={line.key}
          className="flex max-w-full items-stretch rounded-md border border-line-2"
          data-unsaved={hidden.includes(line.key) || undefined}
        >
          <LegendButton
            isShown={!hidden.includes(line.key)}
            line={line}
            onToggle={() => actions.onToggle(line.key)}
          />
          {line.key !== own && (
            <button
              aria-label={`Remove ${line.symbol}`}
              data-unsaved
              className="w-7 shrink-0 rounded-r-md border-l border-line-2 text-ink-3 hover:bg-sunk hover:text-ink"
              onClick={() => actions.onRemove(line.key)}
              title={`Remove ${line.symbol}`}
              type="button"
            >
              ×
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

type LegendButtonProps = {
  line: ComparedLine
  isShown: boolean
  onToggle: () => void
}

function LegendButton({ line, isShown, onToggle }: LegendButtonProps) {
  const last = toEnds(line)?.last
  return (
    <button
      aria-pressed={isShown}
      className="flex min-w-0 items-center gap-2 rounded-md px-2 py-0.5 text-left hover:bg-sunk"
      onClick={onToggle}
      title={isShown ? `Hide ${line.symbol}` : `Show ${line.symbol}`}
      type="button"
    >
      <LineSwatch isShown={isShown} place={line.place} />
      <span className={classNames('truncate font-medium', !isShown && 'text-ink-3 line-through')}>
        {line.symbol}
      </span>
      <span className="whitespace-nowrap text-ink-3">{last ? last.text : 'too few ratings'}</span>
    </button>
  )
}

/** A piece of a line as it is drawn. */
export function LineSwatch({ place, isShown = true }: { place: number; isShown?: boolean }) {
  const look = lineLook(place)
  return (
    <svg
      aria-hidden
      className={classNames('shrink-0 forced-color-adjust-none', !isShown && 'opacity-40')}
      height={12}
      width={30}
    >
      <path
        className="forced-colors:[stroke:CanvasText]"
        d="M0 6H30"
        stroke={look.colour}
        strokeDasharray={look.dashes}
        strokeWidth={2}
      />
      <path
        className="forced-colors:[fill:Canvas] forced-colors:[stroke:CanvasText]"
        d={markPath(look.shape, { x: 15, y: 6 })}
        fill={markFill(look)}
        stroke={look.colour}
        strokeWidth={1.5}
      />
    </svg>
  )
}
