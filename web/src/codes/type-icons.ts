import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import {
  Contact,
  FileText,
  Link,
  Mail,
  MessageSquare,
  Phone,
  Share2,
  Smartphone,
  Type,
  UtensilsCrossed,
  Video,
  Wifi,
  type LucideIcon,
} from 'lucide-react'

export const typeIcons: Readonly<Record<QrCodeType, LucideIcon>> = {
  URL: Link,
  VCARD: Contact,
  WIFI: Wifi,
  PDF: FileText,
  EMAIL: Mail,
  SMS: MessageSquare,
  PHONE: Phone,
  TEXT: Type,
  MENU: UtensilsCrossed,
  APP: Smartphone,
  VIDEO: Video,
  SOCIAL: Share2,
}
