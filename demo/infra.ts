/** The repository from which the cluster is deployed, and which takes patches. */
export const infraRepo = "acme/infra";
export const pricingPath = "k8s/pricing.yaml";

export const pricingFile = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: pricing
  namespace: shop
spec:
  replicas: 2
  selector:
    matchLabels:
      app: pricing
  template:
    metadata:
      labels:
        app: pricing
    spec:
      containers:
        - name: pricing
          image: registry.acme.example/pricing:1.8.0
          resources:
            requests:
              memory: 96Mi
            limits:
              memory: 128Mi
`;

/** The memory limit that a deployment's file names, such as `128Mi`. */
export const limitIn = (file: string): string => /limits:\s+memory: (\d+Mi)/.exec(file)?.[1] ?? "0Mi";

export const infraFiles: Readonly<Record<string, string>> = {
  "README.md": "# infra\n\nWhat runs on prod-eu. A merge to main is rolled out.\n",
  [pricingPath]: pricingFile,
};
