import { ENGLISH } from './number-marks.ts'

const UNITS = ['kB', 'MB', 'GB', 'TB']
const STEP = 1000

/** A size as disks are sold by: `512 B`, `11.8 MB`, `118 MB`, `1.2 GB`. */
export function formatBytes(bytes: number, marks = ENGLISH): string {
  if (bytes < STEP) return `${Math.round(bytes)} B`
  let size = bytes / STEP
  let unit = 0
  while (size >= STEP - 0.5 && unit < UNITS.length - 1) {
    size /= STEP
    unit += 1
  }
  const digits = size.toFixed(size < 99.95 ? 1 : 0).replace('.', marks.decimal)
  return `${digits} ${UNITS[unit]}`
}
