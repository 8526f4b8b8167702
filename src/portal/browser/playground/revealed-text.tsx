import { useEffect, useState } from 'preact/hooks'

const WORD_INTERVAL_MS = 55

/**
 * Text that appears word by word, at once for those who want less motion. Words to come are there but unseen: lines
 * never jump, and a screen reader reads the whole.
 */
export function RevealedText({ text }: { text: string }) {
  const words = text.split(/(?<=\s)/)
  const [shown, setShown] = useState(() => (prefersLessMotion() ? Infinity : 1))
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

function prefersLessMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
