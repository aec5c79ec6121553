import Link from 'next/link'
import type { ComponentProps, MouseEvent } from 'react'
import { isPlainClick } from '#components/ui/plain-click.ts'
import type { Outlook } from '#lib/contract/outlook.ts'
import { toRatingHref } from './rating-address.ts'

/** Shows another rating where this one stands. */
export type ShowRating = (id: number) => void

type RatingLinkProps = Omit<ComponentProps<typeof Link>, 'href' | 'onClick'> & {
  to: number
  outlook: Outlook
  /** Left out, the link leads to the rating's page. */
  show?: ShowRating
}

/** A link to another rating: in the side sheet a plain click shows it there, any other opens its page. */
export function RatingLink({ to, outlook, show, ...rest }: RatingLinkProps) {
  const onClick = (event: MouseEvent) => {
    if (!show || !isPlainClick(event)) return
    event.preventDefault()
    show(to)
  }
  return <Link prefetch={false} href={toRatingHref(to, outlook)} onClick={onClick} {...rest} />
}
