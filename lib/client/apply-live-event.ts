import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#lib/contract/answers/live.ts'
import type { Status, StatusAnswer } from '#lib/contract/answers/state.ts'
import { statusOptions } from './query-options.ts'

const EVENTS_MAX = 50

/** Writes what was told into what the page knows; lists that a dump has changed are asked anew. */
export function applyLiveEvent(client: QueryClient, event: LiveEvent): void {
  if (event.name === 'status') {
    write(client, () => event.data)
    askDumps(client)
  } else if (event.name === 'progress') {
    write(client, (known) => known && { ...known, ...event.data })
  } else if (event.name === 'commit') {
    const { ratings, generation, complete_to } = event.data
    write(client, (known) => {
      const archive = known && { ...known.archive, ratings, generation, complete_to }
      return known && archive && { ...known, archive }
    })
  } else if (event.name === 'event') {
    const { data } = event
    write(client, (known) => known && { ...known, events: withEvent(known.events, data) })
    if (data.kind === 'dump') askDumps(client)
  }
}

/** An answer that is on its way is older than what was just told, and must not take its place. */
function write(client: QueryClient, change: (known: Status | undefined) => Status | undefined) {
  const { queryKey } = statusOptions()
  void client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, (answer): StatusAnswer | undefined => {
    const data = change(answer?.data)
    return data && { success: true, code: 200, data }
  })
}

const withEvent = (known: Status['events'], event: Status['events'][number]): Status['events'] =>
  [event, ...known.filter(({ id }) => id !== event.id)].slice(0, EVENTS_MAX)

function askDumps(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['dumps'] })
  void client.invalidateQueries({ queryKey: ['editions'] })
}
