// Shows the appearance that was chosen in the dashboard. It runs before the page is drawn.
try {
  const theme = localStorage.getItem('everscan-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Without storage, the page follows the device.
}
