'use client'

import { useFormats } from './use-formats.tsx'

/** A whole number as the reader's language writes it. */
export const Count = ({ of }: { of: number }) => useFormats().formatCount(of)

/** A mean of predictions, rounded once: `+9.50%`. */
export const MeanPrediction = ({ of }: { of: string | null }) =>
  useFormats().formatMeanPrediction(of)

/** A prediction with every digit that came: `+12.50%`. */
export const Prediction = ({ of }: { of: string }) => useFormats().formatPrediction(of)
