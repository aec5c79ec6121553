const Z = 1.96

/** Wilson's interval (95 %) of the share `part / whole`, in percent, to be drawn; `whole` is above 0. */
export function toWilsonInterval(part: number, whole: number): { low: number; high: number } {
  const share = part / whole
  const centre = share + (Z * Z) / (2 * whole)
  const reach = Z * Math.sqrt((share * (1 - share)) / whole + (Z * Z) / (4 * whole * whole))
  const scale = 100 / (1 + (Z * Z) / whole)
  return {
    low: Math.max(0, scale * (centre - reach)),
    high: Math.min(100, scale * (centre + reach)),
  }
}
