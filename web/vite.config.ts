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

/**
 * Fetches the scripts of a page at the same time as its entry, which runs them only after the words
 * of a language are there.
 */
const preloadedPages: Plugin = {
  name: 'preloaded-pages',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle, chunk }) => {
      const chunks = new Map(
        Object.values(bundle ?? {}).flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one]] : [])),
      )
      const wanted = new Set<string>()
      const want = (fileName: string) => {
        if (wanted.has(fileName)) return
        wanted.add(fileName)
        chunks.get(fileName)?.imports.forEach(want)
      }
      // The pages: languages are imported by the entry, too, and only one of them is wanted.
      for (const name of chunk?.dynamicImports ?? [])
        if (/^assets\/(dashboard|shared)-/.test(name)) want(name)
      return [...wanted].map((name) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/app/${name}` },
        injectTo: 'head' as const,
      }))
    },
  },
}

export default defineConfig({
  base: '/app/',
  plugins: [react(), tailwindcss(), sharedPage, preloadedPages],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: ['index.html', 'share.html'] },
  },
  server: { proxy: { '/api': service, '/docs': service } },
})
