'use client'

import { formatRelative } from '#components/format/instants.ts'
import { Instant, ZonedDay } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import type { TokenEntry } from '#lib/contract/answers/access.ts'
import { type AccessColumn, AccessTable } from './access-table.tsx'

type TokensTableProps = {
  name: string
  tokens: readonly TokenEntry[]
  withNames?: boolean
  /** Seconds since 1970. */
  now: number
  onEnd: (id: string) => void
}

const toColumns = (now: number): AccessColumn<TokenEntry>[] => [
  {
    header: 'Token',
    card: 'name',
    className: 'font-semibold',
    draw: ({ label }) => label,
  },
  {
    header: 'May',
    label: '',
    draw: ({ scopes }) => scopes.join(', '),
  },
  {
    header: 'Last used',
    draw: ({ used_at }) =>
      used_at === null ? (
        <span className="text-ink-3">never</span>
      ) : (
        <Instant seconds={used_at}>{formatRelative(used_at, now)}</Instant>
      ),
  },
  { header: 'Ends', label: 'ends', draw: ({ ends_at }) => <ZonedDay seconds={ends_at} /> },
]

export const TokensTable = ({ name, tokens, withNames, now, onEnd }: TokensTableProps) => (
  <AccessTable
    name={name}
    rows={tokens}
    owners={withNames ? 'Owner' : null}
    columns={toColumns(now)}
    act="Revoke"
    drawAct={({ id, label }) => (
      <Button size="small" onClick={() => onEnd(id)}>
        Revoke<span className="sr-only"> {label}</span>
      </Button>
    )}
  />
)
