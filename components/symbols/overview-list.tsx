import { Children, type ReactNode, useId } from 'react'
import { ZonedLink } from '#components/address/outlook.tsx'
import { OVERVIEW_LINES } from '#lib/contract/answers/symbols.ts'
import { LINE_PX, LIST_CLASSES } from './overview-sizes.ts'

type OverviewListProps = {
  name: string
  /** Over which span, and what n counts. */
  detail: string
  /** How it is ordered, to be opened beside its name. */
  rule?: ReactNode
  /** Why it has no line, where it has none. */
  empty: string
  children: ReactNode
}

/** A list of the overview: as high as a full one, however many lines it has. */
export function OverviewList({ name, detail, rule, empty, children }: OverviewListProps) {
  const id = useId()
  return (
    <div className={LIST_CLASSES}>
      <div className="flex h-[1.125rem] items-center">
        <h3 className="text-sm font-semibold" id={id}>
          {name}
        </h3>
        {rule}
      </div>
      <p className="truncate text-xs leading-[1.125rem] text-ink-3" title={detail}>
        {detail}
      </p>
      <div style={{ minHeight: OVERVIEW_LINES * LINE_PX }}>
        {Children.count(children) === 0 ? (
          <p className="py-1 text-sm text-ink-3">{empty}</p>
        ) : (
          <ol aria-labelledby={id}>{children}</ol>
        )}
      </div>
    </div>
  )
}

type OverviewLineProps = {
  symbol: string
  href: string
  /** The figure in full, for whoever points at it. */
  title: string
  /** Stands behind the figure, in small. */
  note?: string
  /** The figure. */
  children: ReactNode
}

/** A symbol, its figure and the way to what it counts. */
export function OverviewLine({ symbol, href, title, note, children }: OverviewLineProps) {
  return (
    <li>
      <ZonedLink
        className="-mx-1 flex items-center gap-2 rounded-sm px-1 text-sm tabular-nums hover:bg-sunk"
        href={href}
        prefetch={false}
        style={{ height: LINE_PX }}
        title={title}
      >
        <span className="min-w-0 truncate font-semibold">{symbol}</span>
        <span className="ml-auto shrink-0">{children}</span>
        {note !== undefined && (
          <span className="w-12 shrink-0 truncate text-right text-xs text-ink-3">{note}</span>
        )}
      </ZonedLink>
    </li>
  )
}
