/** What the actions about deliveries give as JSON; types alone, as those of `shapes.ts`. */

/** `GET /deliveries`: what the mock sent by itself, or is sending, oldest first. */
export interface DeliveryList {
  readonly deliveries: readonly DeliverySummary[];
}

/** A callback or webhook on its way to one receiver. */
export interface DeliverySummary {
  readonly id: string;
  readonly event: string;
  /** `default` for the main one. */
  readonly sandbox: string;
  readonly method: string;
  readonly url: string;
  /** Without what is secret; left out where it has none. */
  readonly body?: string;
  /** RFC 3339, by the mock's clock. */
  readonly at: string;
  readonly state: 'pending' | 'delivered' | 'failed' | 'refused';
  readonly reason?: string;
  /** What goes wrong with it on purpose. */
  readonly fault?: string;
  readonly attempts: readonly {
    readonly at: string;
    /** Left out where no response came. */
    readonly status?: number;
    readonly error?: string;
    readonly durationMs: number;
  }[];
}

/** `GET /event-faults`. */
export interface EventFaultList {
  readonly faults: readonly { readonly fault: string; readonly happened: number }[];
}
