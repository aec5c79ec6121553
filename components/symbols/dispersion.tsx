import { useFormats } from '#components/format/use-formats.tsx'

/** A standard deviation, in steps of the scale; a dash over nothing. */
export const Dispersion = ({ of }: { of: string | null }) => useFormats().formatConsensus(of)
