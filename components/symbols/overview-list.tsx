import { Children, type ReactNode, useId } from 'react'
import { ZonedLink } from '#components/address/outlook.tsx'
import { toVisibleText } from '#lib/contract/visible-text.ts'

type OverviewListProps = {
  name: string
  detail: string
  rule?: ReactNode
  empty: string
  children: ReactNode
}

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
  title: string
  note?: string
  children: ReactNode
}

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
