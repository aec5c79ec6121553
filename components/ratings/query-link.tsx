'use client'

import type { ComponentProps, MouseEvent } from 'react'
import { isPlainClick } from '#components/ui/button.tsx'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { type ChangeQuery, toHref } from './query-change.ts'

type QueryLinkProps = Omit<ComponentProps<'a'>, 'href' | 'onClick'> & {
  to: RatingsView
  change: ChangeQuery
}

/** A link to another view of the same table: a plain click changes it in place, any other opens the address. */
export function QueryLink({ to, change, ...rest }: QueryLinkProps) {
  const onClick = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    change(() => to)
  }
  return <a href={toHref(to)} onClick={onClick} {...rest} />
}
