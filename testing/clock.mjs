export function shiftClock(aheadMs) {
  const realNow = Date.now
  Date.now = () => realNow() + aheadMs
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, made) =>
      Reflect.construct(target, args.length === 0 ? [target.now()] : args, made),
  })
}
