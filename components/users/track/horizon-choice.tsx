'use client'

import { AsOfLink } from '#components/time/as-of.tsx'
import { Segmented } from '#components/ui/fields.tsx'
import { HORIZON_NAMES, type HorizonName } from '#lib/contract/horizons.ts'

type HorizonChoiceProps = { horizon: HorizonName; onChange: (horizon: HorizonName) => void }

export const HorizonChoice = ({ horizon, onChange }: HorizonChoiceProps) => (
  <Segmented
    label="Days after each rating"
    labelShown
    onChange={onChange}
    options={HORIZON_NAMES.map((days) => ({ value: days, label: days }))}
    size="small"
    value={horizon}
  />
)

export const NoPrices = ({ children }: { children: string }) => (
  <p className="text-sm text-ink-3">
    {children}{' '}
    <AsOfLink className="link" href="/docs/prices#price-files">
      How to add prices
    </AsOfLink>
  </p>
)
