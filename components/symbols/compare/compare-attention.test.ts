import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { toAttentionParams } from '#components/symbols/series/attention.ts'
import { attentionOptions } from '#lib/client/lookups-options.ts'
import type { AttentionAnswer } from '#lib/contract/answers/lookups.ts'
import { useComparedAttention } from './compare-panel.tsx'
import type { ComparedLine } from './comparison.ts'

const DAY = 86_400
const START = 1_704_067_200

const line: ComparedLine = {
  key: 'AAPL',
  symbol: 'AAPL',
  name: 'AAPL',
  place: 0,
  points: [{ t: START, value: 3, text: '3.00' }],
}

const answer: AttentionAnswer = {
  success: true,
  code: 200,
  data: {
    symbol: 'AAPL',
    bucket: 'day',
    known_from: START,
    known_to: START + 2 * DAY,
    sources: ['slack'],
    points: [{ t: START, lookups: 3, by_source: { slack: 3 } }],
  },
  meta: {
    as_of: START + 2 * DAY,
    complete_to: START + 2 * DAY,
    generation: 1,
    known_to: START + 2 * DAY,
    edition: '2024-01-07',
  },
}

function Drawn() {
  const attention = useComparedAttention([line], { bucket: 'day', asof: null })
  return createElement('p', {}, attention === null ? 'without' : 'with')
}

test('what another chart has asked for is not drawn before the page is taken over, since the server drew without it', () => {
  const client = new QueryClient()
  const columns = { bucket: 'day' as const, points: line.points }
  const { queryKey } = attentionOptions('AAPL', toAttentionParams(columns, null))
  client.setQueryData(queryKey, answer)
  const markup = renderToStaticMarkup(
    createElement(QueryClientProvider, { client }, createElement(Drawn)),
  )
  expect(markup).toBe('<p>without</p>')
})
