import { type RefObject, useEffect, useState } from 'react'

/** Loads once the element is drawn. Undefined until loaded, or if loading fails. */
export function useLater<T>(
  element: RefObject<Element | null>,
  load: () => Promise<T>,
): T | undefined {
  const [loaded, setLoaded] = useState<T>()
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver((entries) => {
      if (!entries.some(({ contentRect }) => contentRect.width > 0)) return
      observer.disconnect()
      load().then(
        (value) => setLoaded(() => value),
        () => undefined,
      )
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, load])
  return loaded
}
