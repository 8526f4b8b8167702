/**
 * Completes a new sign-in name with its ending when the form is sent, so that password managers store the whole name. The
 * server adds the ending if this did not run.
 */

const field = document.querySelector<HTMLInputElement>('[data-name-suffix]')
field?.form?.addEventListener('submit', () => {
  const suffix = field.dataset.nameSuffix ?? ''
  const name = field.value.trim().toLowerCase()
  field.value = name.endsWith(suffix) ? name : name + suffix
})
