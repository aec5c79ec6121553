import { refusal, status } from '#testing/hostile-service/faults.ts'
import { type HostileServer, startHostileServer } from '#testing/hostile-service/hostile-server.ts'
import { makeRatings, toCsv } from '#testing/make-ratings.ts'

export type SmallService = HostileServer & {
  key: string
  setDown(down: boolean): void
  setRefusing(refusing: boolean): void
  holdDumps(): { release(): void }
}

/** The dump has one extra, invalid row. */
export async function startSmallService(key: string, count = 30): Promise<SmallService> {
  const server = await startHostileServer(
    { now: () => Date.now() / 1000 },
    {
      key,
      ratings: makeRatings(1, count),
      pageSize: 7,
    },
  )
  server.dumps.posts = ({ ratings }) => toBrokenDump(toCsv(ratings, { newline: '\r\n' }))
  const createSwitch = (toggle: () => () => void) => {
    let end = () => {}
    return (on: boolean) => {
      end()
      end = on ? toggle() : () => {}
    }
  }
  return Object.assign(server, {
    key,
    setDown: createSwitch(() => server.misbehave(status(503))),
    setRefusing: createSwitch(() => server.misbehave(refusal())),
    holdDumps: () => {
      let release = () => {}
      const how = new Promise<void>((resolve) => {
        release = resolve
      })
      const stop = { at: 'half' as const, how }
      server.misbehave({ delivery: { stop } }, { on: ['posts', 'lookups'] })
      return { release }
    },
  })
}

function toBrokenDump(csv: string): string {
  const first = csv.split('\r\n')[1] ?? ''
  return `${csv}${first.replace(/^1,/, '9999,').replace('12.50', 'much')}\r\n`
}
