import { type Figure, get, median, timeMs } from './measure.ts'
import { selectBusiest } from './opinion.ts'

const ROUNDS = 200
const AIM_MS = 5

/** Both are answered from the cache: what is left is the protocol. */
export async function measureAssistants(url: string): Promise<Figure[]> {
  const symbol = await selectBusiest(url)
  const pairs = [
    ['why_it_moved', { symbol }, `/api/symbols/${symbol}/moves`],
    ['symbol_history', { symbol }, `/api/symbols/${symbol}/series?bucket=month`],
    ['search_ratings', { symbol: [symbol] }, `/api/ratings?symbol=${symbol}&per_page=20`],
    ['what_changed', {}, '/api/changes'],
  ] as const
  const figures: Figure[] = []
  for (const [name, args, path] of pairs) {
    const times: [question: number[], call: number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      times[0].push(await timeMs(() => get(url + path)))
      times[1].push(await timeMs(() => call(url, name, args)))
    }
    const [question, called] = [median(times[0]), median(times[1])]
    figures.push({
      what: `${name} by an assistant beyond its question`,
      got: `${(called - question).toFixed(1)} ms (${question.toFixed(1)} to ${called.toFixed(1)})`,
      aim: `≤ ${AIM_MS} ms`,
      met: called - question <= AIM_MS,
      floor: '–',
    })
  }
  return figures
}

async function call(url: string, name: string, args: object): Promise<void> {
  const params = { name, arguments: args }
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  if (!(await response.text()).includes('"structuredContent"')) throw new Error(`${name} failed`)
}
