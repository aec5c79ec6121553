import { formatCounted } from '#components/format/numbers.ts'
import type { Status } from '#lib/contract/answers/status.ts'

type FirstVisit = {
  service: Status['service']
  symbols: number
  users: number
}

export function toFirstVisitText({ service, symbols, users }: FirstVisit): string {
  if (service.invented) return toDemoText({ symbols, users })
  const host = toHost(service)
  const who = formatCounted(users, 'user') + (host === null ? '' : ` of ${host}`)
  const what = formatCounted(symbols, 'symbol')
  return `${who} ${users === 1 ? 'rates' : 'rate'} ${what}, from Strong Sell to Strong Buy.`
}

export const toDemoText = ({ symbols, users }: Pick<FirstVisit, 'symbols' | 'users'>): string =>
  `Demo data: ${formatCounted(users, 'fictional user')} ${users === 1 ? 'rates' : 'rate'} ${formatCounted(symbols, 'stock')}.`

/** Null for the embedded service. */
function toHost({ kind, address }: Status['service']): string | null {
  return kind === 'remote' && URL.canParse(address) ? new URL(address).hostname : null
}
