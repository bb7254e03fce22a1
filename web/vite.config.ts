import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Address of the service during development of the dashboard: `npm run dev --workspace web`. */
const service = 'http://localhost:3000'

export default defineConfig({
  base: '/app/',
  plugins: [react(), tailwindcss()],
  build: { target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false },
  server: { proxy: { '/api': service, '/docs': service } },
})
