import { AsOfLink } from '#components/address/as-of.tsx'
import { toUserHref } from '#components/address/page-address.ts'
import type { ListView } from '#components/address/use-list-view.ts'
import { Link } from '#components/ui/link.tsx'
import type { UsersQuery } from '#lib/contract/lists/users.ts'

type ComparedLineProps = { view: Pick<ListView<UsersQuery>, 'query' | 'hrefFor'> }

export function ComparedLine({ view: { query, hrefFor } }: ComparedLineProps) {
  const { peers_of: peersOf, farther_than: fartherThan } = query
  if (peersOf === null && fartherThan === null) return null
  return (
    <div className="flex flex-wrap items-center gap-1.5 text-sm">
      <span className="text-ink-2">Only users</span>
      {peersOf !== null && (
        <Part
          href={hrefFor({ peers_of: null })}
          userId={peersOf}
          words="with the number of judged ratings most similar to that of"
        />
      )}
      {fartherThan !== null && (
        <Part
          href={hrefFor({ farther_than: null })}
          userId={fartherThan}
          words="farther from the later consensus than"
        />
      )}
      <AsOfLink className="link text-ink-3" href="/docs/definitions#users">
        Method<span className="sr-only"> of comparing users</span>
      </AsOfLink>
    </div>
  )
}

type PartProps = { words: string; userId: number; href: string }

const Part = ({ words, userId, href }: PartProps) => (
  <span className="flex min-h-[27px] items-center gap-1.5 rounded-md bg-accent-bg pl-2.5">
    <span>
      <span className="text-ink-2">{words}</span>{' '}
      <AsOfLink className="font-semibold text-ink hover:underline" href={toUserHref(userId)}>
        #{userId}
      </AsOfLink>
    </span>
    <Link
      className="grid min-h-[27px] min-w-6 place-items-center rounded-md text-ink-2 hover:text-ink"
      href={href}
      scroll={false}
    >
      <span aria-hidden>×</span>
      <span className="sr-only">
        Take off: {words} #{userId}
      </span>
    </Link>
  </span>
)
