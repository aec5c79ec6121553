import { LEASE_SECONDS, type Lease } from '#lib/store/lease.ts'

export type Terms = {
  /** By a monotonic clock; null unless leading. */
  lease(): Lease | null
  look(): void
  giveUp(): Promise<void>
  stop(): Promise<void>
}

type TermsDeps = {
  take: () => Promise<Lease | null>
  renew: (lease: Lease) => Promise<boolean>
  release: (lease: Lease) => Promise<void>
  mayLead: () => boolean
  /** If it throws, the term ends. */
  onBegin: (lease: Lease) => Promise<void>
  onEnd: (why: 'stopped' | 'lost') => Promise<void>
  /** Monotonic milliseconds. */
  nowMs: () => number
  every: (seconds: number, run: () => void) => () => void
}

const LOOK_SECONDS = 1
const RENEW_MS = (LEASE_SECONDS / 3) * 1000
/** Before a different node may take the lease. */
const MARGIN_MS = 2000

/** Expiry counts from before each renewal is sent, so it is never later than in the database. */
export function createTerms(deps: TermsDeps): Terms {
  const { nowMs } = deps
  let term: Term | null = null
  let isBusy = false
  let isStopped = false

  const isOver = ({ heldFromMs }: Term) => nowMs() - heldFromMs >= LEASE_SECONDS * 1000 - MARGIN_MS
  const end = async (ending: Term, why: 'stopped' | 'lost') => {
    if (term !== ending) return
    term = null
    await ending.begun
    await deps.onEnd(why)
  }
  const take = async () => {
    const heldFromMs = nowMs()
    const lease = await deps.take()
    if (!lease) return
    if (isStopped) return await deps.release(lease)
    const begun: Term = { lease, heldFromMs, triedAtMs: heldFromMs, begun: Promise.resolve() }
    term = begun
    begun.begun = deps.onBegin(lease).catch(async () => {
      if (term === begun) term = null
      await deps.onEnd('lost')
      await deps.release(lease).catch(() => undefined)
    })
  }
  const renew = async (current: Term) => {
    const sentAtMs = nowMs()
    current.triedAtMs = sentAtMs
    const isRenewed = await deps.renew(current.lease)
    if (isRenewed) current.heldFromMs = sentAtMs
    else await end(current, 'lost')
  }
  const inTurn = (work: Promise<void>) => {
    isBusy = true
    void work
      .catch(() => undefined)
      .finally(() => {
        isBusy = false
      })
  }
  const leave = async (why: 'stopped' | 'lost') => {
    const last = term
    if (!last) return
    await end(last, why)
    await deps.release(last.lease).catch(() => undefined)
  }
  const look = () => {
    if (isStopped) return
    // A hanging renewal must not delay the expiry check.
    if (term && isOver(term)) void end(term, 'lost').catch(() => undefined)
    if (isBusy) return
    if (!term && deps.mayLead()) inTurn(take())
    else if (term && nowMs() - term.triedAtMs >= RENEW_MS) inTurn(renew(term))
  }
  const callOff = deps.every(LOOK_SECONDS, look)
  return {
    lease: () => (term && !isOver(term) ? term.lease : null),
    look,
    giveUp: async () => await leave('lost'),
    async stop() {
      isStopped = true
      callOff()
      await leave('stopped')
    },
  }
}

type Term = { lease: Lease; heldFromMs: number; triedAtMs: number; begun: Promise<void> }
