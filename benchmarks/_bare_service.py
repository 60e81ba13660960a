"""A FastAPI application that takes reports and stores nothing: what the collector is measured against."""

from __future__ import annotations

import sys

import uvicorn
from fastapi import FastAPI, Request
from pydantic import Base64Bytes, BaseModel

app = FastAPI()


class Item(BaseModel):
    token: str
    report: Base64Bytes


class Reports(BaseModel):
    reports: list[Item]


@app.post("/reports/bulk")
async def bulk(asked: Reports) -> dict[str, int]:
    return {"accepted": len(asked.reports)}


@app.post("/reports", status_code=201)
async def single(request: Request) -> dict[str, str]:
    await request.body()
    return {"status": "counted"}


@app.get("/ready")
def ready() -> dict[str, str]:
    return {"status": "ready"}


if __name__ == "__main__":
    uvicorn.run(app, port=int(sys.argv[1]), log_level="warning", access_log=False)
