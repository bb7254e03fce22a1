import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Address of the service during development of the dashboard: `npm run dev --workspace web`. */
const service = 'http://localhost:3000'

/** Serves the page for people without an account, as the service does. */
const sharedPage: Plugin = {
  name: 'shared-page',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      if (/^\/app\/(share\/|leave-mail)/.test(request.url ?? '')) request.url = '/app/share.html'
      next()
    })
  },
}

export default defineConfig({
  base: '/app/',
  plugins: [react(), tailwindcss(), sharedPage],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: ['index.html', 'share.html'] },
  },
  server: { proxy: { '/api': service, '/docs': service } },
})
