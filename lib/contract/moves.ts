/**
 * What can happen to the active ratings of a symbol, by what is so and not by what a rating says of itself. `initiated`: a user's
 * first rating on the symbol; `returned`: one of a user whose earlier ones had ended; `upgraded`, `downgraded`, `reiterated`: one
 * that takes the place of the user's active one, which was lower, higher, equal; `lapsed`: one ended; `vanished`: it ended because
 * the service lists it no more.
 */
export const MOVES = [
  'initiated',
  'returned',
  'upgraded',
  'downgraded',
  'reiterated',
  'lapsed',
  'vanished',
] as const
export type MoveKind = (typeof MOVES)[number]

const LABELS: Readonly<Record<MoveKind, string>> = {
  initiated: 'First ratings',
  returned: 'Returned users',
  upgraded: 'Upgrades',
  downgraded: 'Downgrades',
  reiterated: 'Repeated',
  lapsed: 'Expired',
  vanished: 'No longer listed',
}

/** How a kind is called where it is shown. */
export const moveLabel = (kind: MoveKind): string => LABELS[kind]
