import { Children, type ReactNode, useId } from 'react'
import { ZonedLink } from '#components/address/outlook.tsx'
import { toVisibleText } from '#lib/contract/visible-text.ts'

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
    <div>
      <h3 id={id}>{name}</h3>
      {rule}
      <p>{detail}</p>
      {Children.count(children) === 0 ? (
        <div>{empty}</div>
      ) : (
        <ol aria-labelledby={id}>{children}</ol>
      )}
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
      <ZonedLink href={href} prefetch={false} title={title}>
        <b>{toVisibleText(symbol)}</b> {children}
        {note !== undefined && <small>{note}</small>}
      </ZonedLink>
    </li>
  )
}
