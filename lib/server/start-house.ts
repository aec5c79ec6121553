import 'server-only'
import { setTimeout as sleep } from 'node:timers/promises'
import { ForeignFolder } from './claim-folder.ts'
import { guardHttp } from './guard-http.ts'
import { openHouse, processLog } from './house.ts'
import { toLogFields } from './log.ts'
import { once } from './once.ts'
import { processEnv } from './process-env.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { watchTraffic } from './watch-traffic.ts'

/** sysexits.h: the configuration is wrong; starting again will not help. */
const EXIT_CONFIG = 78
const LOOK_MS = 1000

/** Opens the house, starts the sync in the background, and stops both when the process is asked to end. */
export function startHouse(): void {
  once('started', () => {
    refuseBadEnvironment()
    watchForSurprises()
    guardHttp()
    watchTraffic()
    stopOnSignals()
    void run()
    return true
  })
}

function refuseBadEnvironment(): void {
  const parsed = processEnv()
  if (!parsed.ok) refuse(parsed.problems)
}

/** Ends the process, every reason on a line of its own. */
function refuse(reasons: readonly string[]): never {
  const lines = reasons.map((reason) => `  ${reason}\n`)
  process.stderr.write(`Bellwether cannot start:\n${lines.join('')}`)
  process.exit(EXIT_CONFIG)
}

async function run(): Promise<void> {
  for (;;) {
    try {
      const house = await openHouse()
      const problem = await house.service?.misconfigured
      if (problem) refuse([problem.message])
      return
    } catch (error) {
      // The log says why. Where a setting is at fault the process ends; else it answers 503 until the folder opens.
      const cause = error instanceof Error ? error.cause : null
      if (cause instanceof ForeignFolder) refuse([cause.message])
    }
    await sleep(LOOK_MS, undefined, { ref: false })
  }
}

/** Next would swallow these: they must at least be seen. */
function watchForSurprises(): void {
  process.on('unhandledRejection', (error) =>
    processLog().error('a rejection nobody handled', toLogFields(error)),
  )
}
