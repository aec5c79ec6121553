/** The number `(whole + sign · √root) / divisor`, in integers. */
type Surd = { whole: bigint; sign: 1n | -1n; root: bigint; divisor: bigint }

/**
 * Its text with 4 places, halves upwards, found by trying: a float names the neighbourhood, and comparing squares says
 * which of the ten-thousandths in it the number is next to.
 */
export function surdText(surd: Surd): string {
  const float =
    (Number(surd.whole) + Number(surd.sign) * Math.sqrt(Number(surd.root))) / Number(surd.divisor)
  let units = BigInt(Math.floor(float * 10_000 + 0.5)) - 3n
  // The next one up, as long as the number is not below the half that lies between.
  while (!isBelow(surd, 2n * units + 1n)) units += 1n
  const digits = (units < 0n ? -units : units).toString().padStart(5, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

/** Is the number below `twentyThousandths / 20,000`? */
function isBelow({ whole, sign, root, divisor }: Surd, twentyThousandths: bigint): boolean {
  // whole + sign √root < bound, all of it times 20,000.
  const rest = twentyThousandths * divisor - 20_000n * whole
  const scaled = 400_000_000n * root
  if (sign === 1n) return rest > 0n && scaled < rest * rest
  return rest > 0n || scaled > rest * rest
}
