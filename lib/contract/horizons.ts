/** Days. */
export const HORIZONS = [30, 90, 180, 365] as const
export type Horizon = (typeof HORIZONS)[number]

export const HORIZON_NAMES = ['30', '90', '180', '365'] as const satisfies readonly `${Horizon}`[]
export type HorizonName = (typeof HORIZON_NAMES)[number]
export const HORIZON_NAME_DEFAULT: HorizonName = '90'
const HORIZON_DEFAULT: Horizon = 90

export const toHorizon = (name: string | undefined): Horizon =>
  HORIZONS.find((days) => `${days}` === name) ?? HORIZON_DEFAULT
