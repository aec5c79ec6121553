'use client'

import { formatRelative } from '#components/format/instants.ts'
import { InstantButton, ZonedDay } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { TokenEntry } from '#lib/contract/answers/access.ts'

type TokensTableProps = {
  name: string
  tokens: readonly TokenEntry[]
  /** Whose each is, where they are of several. */
  withNames?: boolean
  /** Seconds since 1970. */
  now: number
  onEnd: (id: string) => void
}

/** The tokens that are good for something, and the way to take them back. */
export function TokensTable({ name, tokens, withNames, now, onEnd }: TokensTableProps) {
  return (
    <TableFrame bare aria-label={name} className="-mx-5">
      <Table aria-label={name}>
        <TableHead>
          {withNames && <HeaderCell className="first:pl-5">Owner</HeaderCell>}
          <HeaderCell className="first:pl-5">Token</HeaderCell>
          <HeaderCell>May</HeaderCell>
          <HeaderCell className="max-sm:hidden">Last used</HeaderCell>
          <HeaderCell>Ends</HeaderCell>
          <HeaderCell className="w-full last:pr-5">
            <span className="sr-only">Take it back</span>
          </HeaderCell>
        </TableHead>
        <tbody>
          {tokens.map((token) => (
            <Row key={token.id}>
              {withNames && <Cell className="first:pl-5">{token.name}</Cell>}
              <Cell className="first:pl-5 font-semibold max-sm:whitespace-normal">
                {token.label}
              </Cell>
              <Cell className="max-sm:whitespace-normal">{token.scopes.join(', ')}</Cell>
              <Cell className="max-sm:hidden">
                {token.used_at === null ? (
                  <span className="text-ink-3">never</span>
                ) : (
                  <InstantButton seconds={token.used_at}>
                    {formatRelative(token.used_at, now)}
                  </InstantButton>
                )}
              </Cell>
              <Cell>
                <ZonedDay seconds={token.ends_at} />
              </Cell>
              <Cell className="last:pr-5 text-right">
                <Button size="small" onClick={() => onEnd(token.id)}>
                  Take back<span className="sr-only"> {token.label}</span>
                </Button>
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}
