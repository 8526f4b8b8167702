import { useEffect, useState } from 'preact/hooks'

const WORD_INTERVAL_MS = 55

/**
 * Text that appears word by word, or at once for people who prefer reduced motion. Words to come take up space but are
 * invisible, so that lines never jump and screen readers read the whole text.
 */
export function RevealedText({ text }: { text: string }) {
  const words = text.split(/(?<=\s)/)
  const [shown, setShown] = useState(() => (prefersReducedMotion() ? Infinity : 1))
  useEffect(() => {
    if (shown >= words.length) return
    const timer = setTimeout(() => setShown(shown + 1), WORD_INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [shown, words.length])
  return (
    <>
      {words.map((word, index) => (
        <span key={index} class={index < shown ? 'word' : 'word word-to-come'}>
          {word}
        </span>
      ))}
    </>
  )
}

function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
