'use client'

import type { ReactNode } from 'react'
import { formatRelative } from '#components/format/instants.ts'
import { formatCount } from '#components/format/numbers.ts'
import { Instant } from '#components/time/instant.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Card } from '#components/ui/panels.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { Node, Nodes } from '#lib/contract/answers/status.ts'
import { selectLiveNodes } from '#lib/contract/live-nodes.ts'

type NodesPanelProps = {
  nodes: Nodes
  /** Seconds since 1970, server's clock. */
  now: number
}

const NAME = 'Nodes'

export function NodesPanel({ nodes, now }: NodesPanelProps) {
  const { list, away_since: awaySince } = nodes
  return (
    <Card id="nodes" title={NAME} detail="that share one database">
      {awaySince === null ? (
        <p className="text-ink-2">
          The shared database is <Place nodes={nodes} />. {describeWhoSyncs(nodes)} Each node
          answers from its own copy.
        </p>
      ) : (
        <p>
          <span className="text-rating-text-1">
            The shared database has not answered since <Instant seconds={awaySince} />
          </span>
          , {formatRelative(awaySince, now)}. It is <Place nodes={nodes} />. This node serves its
          own copy. Until the database is back, nothing new is fetched. The node retries
          automatically.
        </p>
      )}
      {list.length === 0 ? (
        <p className="text-ink-3">No node has reported yet.</p>
      ) : (
        <TableFrame bleed aria-label={NAME}>
          <Table cards aria-label={NAME}>
            <TableHead>
              <HeaderCell>Node</HeaderCell>
              <HeaderCell>Generation</HeaderCell>
              <HeaderCell>Last seen</HeaderCell>
              <HeaderCell>Started</HeaderCell>
              <HeaderCell>Version</HeaderCell>
              <HeaderCell className="w-full">Note</HeaderCell>
            </TableHead>
            <tbody>
              {list.map((node) => (
                <NodeRow key={node.name} node={node} nodes={nodes} now={now} />
              ))}
            </tbody>
          </Table>
        </TableFrame>
      )}
      {awaySince !== null && list.length > 0 && (
        <p className="text-ink-3">The nodes as they were when the database last answered.</p>
      )}
    </Card>
  )
}

const WARNED = 'text-rating-text-2'

const Place = ({ nodes: { store } }: { nodes: Nodes }) => (
  <span className="font-mono text-sm wrap-anywhere">{store}</span>
)

function NodeRow({ node, nodes, now }: NodesPanelProps & { node: Node }) {
  const { name, version, generation, behind, started_at, seen_at, note } = node
  const isSilent = !selectLiveNodes(nodes.list).includes(node)
  const isCurrent = nodes.away_since === null && !isSilent
  return (
    <tr>
      <Cell card="name">
        <span className="font-semibold wrap-anywhere">{name}</span>
        <span className="text-ink-3">
          {toMarks(node, nodes).map((mark) => (
            <Mark key={mark}>{mark}</Mark>
          ))}
        </span>
      </Cell>
      <Cell label="generation">
        {formatCount(generation)}{' '}
        <span className={behind === 0 ? 'text-ink-3' : WARNED}>{toBehind(behind)}</span>
      </Cell>
      <Cell card="end">
        <Instant seconds={seen_at} className={isSilent ? WARNED : undefined}>
          {isCurrent ? 'just now' : formatRelative(Math.min(seen_at, now), now)}
          {isSilent && ', silent'}
        </Instant>
      </Cell>
      <Cell label="started">
        <Instant seconds={started_at}>{formatRelative(started_at, now)}</Instant>
      </Cell>
      <Cell label="version">{version}</Cell>
      <Cell card="wide" className={classNames('whitespace-normal sm:min-w-56', WARNED)}>
        {note}
      </Cell>
    </tr>
  )
}

const Mark = ({ children }: { children: ReactNode }) => (
  <span className="whitespace-nowrap"> · {children}</span>
)

export const toMarks = ({ name, leads }: Node, { me, away_since }: Nodes): string[] => [
  ...(name === me ? ['this one'] : []),
  ...(leads && away_since === null ? ['syncs'] : []),
]

export const toBehind = (behind: number): string =>
  behind === 0 ? 'up to date' : `${formatCount(behind)} behind`

export function describeWhoSyncs({ me, list }: Pick<Nodes, 'me' | 'list'>): string {
  const leader = list.find(({ leads }) => leads)
  if (!leader) return 'No node is syncing at the moment. A node that is up to date takes over.'
  const who = leader.name === me ? 'This node' : leader.name
  return list.length === 1
    ? `${who} syncs, and is the only one.`
    : `${who} syncs, the others follow.`
}
