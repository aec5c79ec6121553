import { formatDay } from '#components/format/instants.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import type { User } from '#lib/contract/answers/users.ts'

export function toUserTexts({ ratings, symbols, active, first_created_at, ...user }: User) {
  return [
    `${formatCounted(ratings, 'rating')} on ${formatCounted(symbols, 'symbol')} since ${formatDay(first_created_at)}.`,
    `${active === 0 ? 'None is' : `${formatCount(active)} ${active === 1 ? 'is' : 'are'}`} active; the latest was posted on ${formatDay(user.last_created_at)}.`,
  ]
}
