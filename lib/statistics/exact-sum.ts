const LIMIT = 2 ** 52

/** Exact if each integer is within ±2⁵². */
export class ExactSum {
  #low = 0
  #high = 0n

  add(value: number): void {
    this.#low += value
    if (this.#low > LIMIT || this.#low < -LIMIT) {
      this.#high += BigInt(this.#low)
      this.#low = 0
    }
  }

  get total(): bigint {
    return this.#high + BigInt(this.#low)
  }
}
