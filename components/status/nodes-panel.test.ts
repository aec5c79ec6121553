import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Nodes } from '#lib/contract/answers/status.ts'
import { THREE_NODES } from '#testing/contract/status.ts'
import { describeWhoSyncs, NodesPanel, toBehind, toMarks } from './nodes-panel.tsx'

const NOW = 1000

const draw = (change: Partial<Nodes> = {}) =>
  renderToStaticMarkup(
    createElement(NodesPanel, { nodes: { ...THREE_NODES, ...change }, now: NOW }),
  )

const toText = (markup: string) => markup.replace(/<[^>]+>/g, '').replaceAll('&#x27;', '’')

const marks = (nodes: Nodes) => nodes.list.map((node) => toMarks(node, nodes).join())

test('the node that answers and the one that syncs are marked, in words', () => {
  expect(marks(THREE_NODES)).toEqual(['this one', 'syncs', ''])
  expect(marks({ ...THREE_NODES, me: 'ratings-b:3000' })).toEqual(['', 'this one,syncs', ''])
})

test('while the shared database is unreachable, no node is said to sync', () => {
  expect(marks({ ...THREE_NODES, away_since: 400 })).toEqual(['this one', '', ''])
})

test('who syncs is told by name, and that nobody does', () => {
  const { me, list } = THREE_NODES
  expect(describeWhoSyncs({ me, list })).toBe('ratings-b:3000 syncs, the others follow.')
  expect(describeWhoSyncs({ me: 'ratings-b:3000', list })).toBe(
    'This node syncs, the others follow.',
  )
  const idle = list.map((node) => ({ ...node, leads: false }))
  expect(describeWhoSyncs({ me, list: idle })).toMatch(/^No node is syncing at the moment/)
  const [, leader] = list
  expect(describeWhoSyncs({ me: 'ratings-b:3000', list: leader ? [leader] : [] })).toBe(
    'This node syncs, and is the only one.',
  )
})

test('how far a copy is behind is said in generations', () => {
  expect([0, 1, 1204].map(toBehind)).toEqual(['up to date', '1 behind', '1,204 behind'])
})

test('the table has a row for each node, with what is wrong with it, and says where the database is', () => {
  const text = toText(draw())
  expect(text).toContain('The shared database is db-1.example:5432, db-2.example:5432, database')
  expect(text).toContain('ratings-a:3000 · this one')
  expect(text).toContain('1,202 2 behind')
  expect(text).toContain('The disk is full.')
  expect(text).not.toContain('has not answered')
  expect(text).not.toContain('silent')
})

test('a node that says nothing while the others do is called silent, since when it was seen', () => {
  const list = THREE_NODES.list.map((node, index) => ({ ...node, seen_at: NOW - 100 * index }))
  const text = toText(draw({ list }))
  expect(text).toContain('1 min ago, silent')
  expect(text).toContain('3 min ago, silent')
  expect(text.match(/just now/g)).toHaveLength(1)
})

test('a database that is away is told with its instant, and what that means', () => {
  const list = THREE_NODES.list.map((node) => ({ ...node, seen_at: 395 }))
  const text = toText(draw({ away_since: 400, list }))
  expect(text).toContain('has not answered since 1970-01-01 00:06, 10 min ago')
  expect(text).toContain('nothing new is fetched')
  expect(text).toContain('The nodes as they were when the database last answered.')
  expect(text).not.toContain('just now')
})

test('before a node has said anything, that is told instead of an empty table', () => {
  const markup = draw({ list: [] })
  expect(toText(markup)).toContain('No node has reported yet.')
  expect(markup).not.toContain('<table')
})
