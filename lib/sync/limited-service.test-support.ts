import { AppError } from '#lib/contract/faults.ts'
import { nextMonthAt } from '#lib/upstream/ledger-lines.ts'
import { selectMonthBar, selectReserved } from '#lib/upstream/reserve.ts'
import type { Budget, Purpose, Upstream } from '#lib/upstream/upstream.ts'
import { down, type ScriptedService } from './scripted-service.test-support.ts'

/** A request that was sent: when, for what, whether it was answered. */
export type Sent = { at: number; what: string; purpose: Purpose; ok: boolean }

export type LimitedService = Upstream & {
  sent: Sent[]
  /** Requests that were asked for and not sent, because a limit would have been passed. */
  barred: Sent[]
  /** Whether the service answers at an instant. */
  isDown: (at: number, what: string) => boolean
}

/** Attempts that a call makes while the service is down. */
const ATTEMPTS = 3

/** A scripted service behind the ledger's rules for a month: what the real client charges, in virtual time. */
export function limitService(
  service: ScriptedService,
  { limit, now }: { limit: number | null; now: () => number },
): LimitedService {
  const sent: Sent[] = []
  const barred: Sent[] = []
  const months = new Map<number, Record<Purpose, number>>()
  const ofMonth = () => months.get(nextMonthAt(now())) ?? { dump: 0, follow: 0, people: 0 }
  const toUsed = ({ dump, follow, people }: Record<Purpose, number>) => dump + follow + people

  const charge = (what: string, purpose: Purpose, ok: boolean) => {
    const one = { at: now(), what, purpose, ok }
    if (limit !== null) {
      const { people } = ofMonth()
      const month = { limit, used: toUsed(ofMonth()), people, at: now() }
      const bar = selectMonthBar(purpose, month)
      if (bar) {
        barred.push(one)
        throw new AppError('budget_spent', bar.why, { retryAfterSeconds: bar.seconds })
      }
    }
    sent.push(one)
    months.set(nextMonthAt(now()), { ...ofMonth(), [purpose]: ofMonth()[purpose] + 1 })
  }
  const call = (what: string, purpose: Purpose) => {
    const isDown = limited.isDown(now(), what)
    for (let attempt = 1; attempt <= (isDown ? ATTEMPTS : 1); attempt += 1) {
      charge(what, purpose, !isDown)
    }
    if (isDown) throw down()
  }
  const limited: LimitedService = {
    ...service,
    sent,
    barred,
    isDown: () => false,
    service: { kind: 'remote', address: 'limited' },
    budget: (): Budget => ({
      minute: { limit: 60, used: 0 },
      month: { limit, used: toUsed(ofMonth()) },
      spent: ofMonth(),
      reserved: selectReserved(limit, now()),
      pausedUntil: null,
      clockSkewSeconds: null,
    }),
    async fetchPage(page, options = {}) {
      call(String(page), options.purpose ?? 'follow')
      return await service.fetchPage(page, options)
    },
    async fetchPageIfChanged(page, held, options = {}) {
      call(String(page), options.purpose ?? 'follow')
      return await service.fetchPageIfChanged(page, held, options)
    },
    async fetchDump(kind, options = {}) {
      call(kind, options.purpose ?? 'dump')
      return await service.fetchDump(kind, options)
    },
    async fetchDumpIfChanged(kind, held, options = {}) {
      call(kind, options.purpose ?? 'dump')
      return await service.fetchDumpIfChanged(kind, held, options)
    },
  }
  return limited
}
