// Shows the appearance that was chosen in the dashboard, and a button that changes it. It runs
// before the page is drawn.
try {
  const theme = localStorage.getItem('everscan-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Without storage, the page follows the device.
}

addEventListener('DOMContentLoaded', () => {
  const button = document.getElementById('theme')
  const name = () => {
    button.textContent = isDark() ? '☀' : '☾'
    button.setAttribute('aria-label', isDark() ? 'Light mode' : 'Dark mode')
    button.title = isDark() ? 'Light mode' : 'Dark mode'
  }
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark'
    document.documentElement.dataset.theme = theme
    try {
      localStorage.setItem('everscan-theme', theme)
    } catch {
      // The appearance is shown, but not stored.
    }
    name()
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', name)
  name()
  button.hidden = false
})

function isDark() {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}
