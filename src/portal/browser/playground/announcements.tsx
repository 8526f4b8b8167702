/** Announces what happens to screen readers, in order. */
export function Announcements({ texts }: { texts: readonly string[] }) {
  return (
    <div class="visually-hidden" role="log" aria-label="What happens">
      {texts.map((text, index) => (
        <p key={index}>{text}</p>
      ))}
    </div>
  )
}
